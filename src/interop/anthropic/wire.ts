/** The parts of Anthropic's message format that are read and written here; `test/types` holds them to the real SDK. */

/** What `runAnthropicToolUses` reads of a message. */
export interface AnthropicMessage {
  content: string | readonly object[];
}

/** The message that answers the tool uses of another. */
export interface AnthropicUserMessage {
  role: 'user';
  content: AnthropicToolResult[];
}

export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: string | AnthropicContentBlock[];
  is_error?: true;
  toolset_name?: string;
}

export type AnthropicContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: AnthropicImageType; data: string } }
  | { type: 'document'; source: { type: 'base64'; media_type: 'application/pdf'; data: string }; title?: string };

export type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
