/**
 * Model-readable parts of a result, beside its `output`: what MCP, the AI SDK and llm-agent all carry.
 * `data` is base64.
 */
export type ContentPart = ContentBody & {
  /** What a framework said of the part that no other has a word for, by framework; carried. */
  meta?: Record<string, Record<string, unknown>>;
};

type ContentBody =
  | { type: 'text'; text: string }
  | { type: 'image'; mimeType: string; data: string; width?: number; height?: number }
  | { type: 'audio'; mimeType: string; data: string; transcript?: string }
  | { type: 'file'; mimeType: string; data: string; name?: string }
  | { type: 'source'; source: string; title: string; mimeType?: string; content: ContentPart[] }
  /** Something that was not sent, and where it is. `size` in bytes. */
  | {
      type: 'link';
      uri: string;
      name: string;
      title?: string;
      description?: string;
      mimeType?: string;
      size?: number;
    };
