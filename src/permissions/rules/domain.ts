import type { Match } from '../text/match.js';

/** Written as every parser reads it: two slashes, and a host behind at most one `@`. */
const PLAIN = /^[a-z][a-z\d+.-]*:\/\/(?:[\w.~!$&'()*+=:%-]*@)?(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?(?=[/?#]|$)(?![^/]*@)/i;
/** Schemes of URLs that have no host, and hold no other URL. */
const HOSTLESS = /^(?:data|file|about|mailto|tel|urn):/i;
const MAX_NESTED = 8;

/**
 * Whether a rule's domain is that of a URL. `*.example.com` names every host below, and `example.com` itself. Where
 * parsers read different hosts, or the URL holds another one (`blob:https://x/…`), each of them could be.
 */
export function matchesDomain(domain: string, url: unknown): Match {
  if (typeof url !== 'string') return 'could be';
  const wanted = normalize(domain);
  const host = hostOf(url);
  if (host === undefined) return 'could be';
  if (host === '' && !HOSTLESS.test(url)) return nestedMatch(wanted, url);
  const read = PLAIN.exec(url)?.[1];
  if (read !== undefined && normalize(read) === host) return names(wanted, host) ? 'yes' : 'no';
  if (host === '') return wanted === '*' ? 'yes' : 'no';
  return [host, ...possibleHosts(url)].some((one) => names(wanted, one)) ? 'could be' : 'no';
}

/** `view-source:https://x`, `jar:https://x!/y` */
function nestedMatch(wanted: string, url: string): Match {
  let inner = url;
  for (let depth = 0; depth < MAX_NESTED; depth += 1) {
    inner = inner.slice(inner.indexOf(':') + 1);
    const host = hostOf(inner);
    if (host === undefined) return 'could be';
    if (host !== '') return [host, ...possibleHosts(inner)].some((one) => names(wanted, one)) ? 'could be' : 'no';
  }
  return 'could be';
}

/** What some parser takes for the host: any part up to the path, and what stands behind an `@` further on. */
function possibleHosts(url: string): string[] {
  const [, authority = ''] = /^[^:]*:[/\\]*([^/]*)/.exec(plainText(url)) ?? [];
  return authority
    .split(/[^\w.-]+/)
    .filter((part) => part !== '')
    .map(normalize);
}

/** With what stands for other characters, and without what some parsers leave out. */
function plainText(url: string): string {
  const text = url
    .replace(/[\t\r\n]/g, '')
    .normalize('NFKC')
    .replaceAll('。', '.');
  return text.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function names(wanted: string, host: string): boolean {
  if (wanted === '*') return true;
  if (!wanted.startsWith('*.')) return host === wanted;
  return host === wanted.slice(2) || host.endsWith(wanted.slice(1));
}

function hostOf(url: string): string | undefined {
  try {
    return normalize(new URL(url).hostname);
  } catch {
    return undefined;
  }
}

/** Case and the dot of the root do not count. */
function normalize(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
