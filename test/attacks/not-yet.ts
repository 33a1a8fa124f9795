/** A case, or a half of one, that attacks a part which does not exist yet. */
export interface NotYet {
  id: string;
  /** Absent: the whole case waits. Else the half that does; the other half is among the attacks. */
  half?: string;
  waitsFor: string;
}

export const NOT_YET: readonly NotYet[] = [
  { id: 'HOST-016', waitsFor: 'an egress proxy: the network of a container is none or all' },
  { id: 'HOST-010', half: 'asking whether a project is trusted, by content hash', waitsFor: 'the command line to ask' },
  { id: 'RUN-016', half: 'Kubernetes', waitsFor: 'that backend; Docker runs the suite in test/docker' },
];
