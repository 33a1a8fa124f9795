/** A case, or a half of one, that attacks a part which does not exist yet. */
export interface NotYet {
  id: string;
  /** Absent: the whole case waits. Else the half that does; the other half is among the attacks. */
  half?: string;
  waitsFor: string;
}

export const NOT_YET: readonly NotYet[] = [
  { id: 'HOST-016', waitsFor: 'the egress proxy: no backend has any network yet' },
  { id: 'HOST-020', waitsFor: 'the MCP server' },
  { id: 'HOST-021', waitsFor: 'the MCP server: nothing else speaks frames on stdout' },
  { id: 'HOST-022', waitsFor: 'the MCP server' },
  { id: 'HOST-023', waitsFor: 'the MCP server' },
  { id: 'HOST-017', half: 'JSON-RPC framing', waitsFor: 'the MCP server' },
  { id: 'HOST-018', half: 'through MCP', waitsFor: 'the MCP server' },
  { id: 'RUN-005', half: 'the MCP result', waitsFor: 'the MCP server' },
  { id: 'RUN-016', half: 'docker and k8s', waitsFor: 'those backends' },
];
