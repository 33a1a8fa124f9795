export interface SessionLife {
  /** A call begins; call what it returns when it is over. */
  use(): () => void;
  end(): void;
}

/** Watches how long a session has been unused and how old it is. Its timers do not keep the host alive. */
export function startLife(options: {
  idleMs: number;
  hardMs: number;
  onIdle: () => void;
  onExpired: () => void;
}): SessionLife {
  let users = 0;
  const hard = setTimeout(options.onExpired, options.hardMs).unref();
  let idle = setTimeout(options.onIdle, options.idleMs).unref();
  return {
    use: () => {
      users += 1;
      clearTimeout(idle);
      return () => {
        users -= 1;
        if (users === 0) idle = setTimeout(options.onIdle, options.idleMs).unref();
      };
    },
    end: () => {
      clearTimeout(hard);
      clearTimeout(idle);
    },
  };
}
