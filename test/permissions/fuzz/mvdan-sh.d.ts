declare module 'mvdan-sh' {
  /** A node of the tree, as far as it is looked at. */
  export interface SyntaxNode {
    Args?: readonly SyntaxNode[];
    Parts?: readonly SyntaxNode[];
    Value?: string;
    Dollar?: boolean;
  }

  const mvdan: {
    syntax: {
      NewParser(): { Parse(text: string, name: string): SyntaxNode };
      Walk(node: SyntaxNode, visit: (node: SyntaxNode | null) => boolean): void;
      NodeType(node: SyntaxNode): string;
    };
  };
  export default mvdan;
}
