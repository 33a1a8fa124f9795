const UNTRUSTED =
  /SELF_SIGNED_CERT|self[- ]signed certificate|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|unable to get local issuer|CERTIFICATE_VERIFY_FAILED|server certificate verification failed/i;

/** Whether npm, Node, pip, git or curl says that it does not trust whom it talks to. */
export function isUntrusted(output: string): boolean {
  return UNTRUSTED.test(output);
}

/** For whoever made the sandbox. */
export const UNTRUSTED_ADVICE =
  "The network inspects TLS: give createDockerSandbox caCertificates: 'host', so that the sandbox trusts what this machine trusts";
