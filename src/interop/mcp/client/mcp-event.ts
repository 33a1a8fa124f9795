/** What happens with a server, as it happens. Names of tools are those they have here. */
export type McpEvent = {
  /** ISO 8601, UTC. */
  time: string;
  /** Its name. */
  server: string;
} & (
  | { type: 'server.lost'; reason: string; willRestart: boolean }
  | { type: 'server.restarted'; restarts: number }
  | { type: 'tools.changed'; added: string[]; removed: string[]; changed: string[] }
  /** A stranger's text holds characters that a terminal obeys, or that nobody sees. At most 16 are told, as `U+202E`. */
  | { type: 'text.flagged'; tool: string; where: 'description' | 'schema' | 'result'; characters: string[] }
);

type Without<Event> = Event extends McpEvent ? Omit<Event, 'time' | 'server'> : never;

/** An event without what all of them have. */
export type McpHappening = Without<McpEvent>;

export type TellMcp = (happening: McpHappening) => void;

/** Tells a listener. One that throws breaks nothing. */
export function tellMcp(server: string, listener: ((event: McpEvent) => void) | undefined): TellMcp {
  return (happening) => {
    try {
      listener?.({ time: new Date().toISOString(), server, ...happening } as McpEvent);
    } catch {
      // What a listener does wrong is not the server's fault.
    }
  };
}
