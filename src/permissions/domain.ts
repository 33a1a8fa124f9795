import type { Match } from './match.js';

/** Whether a rule's domain is that of a URL. `*.example.com` names every host below, and `example.com` itself. */
export function matchesDomain(domain: string, url: unknown): Match {
  if (typeof url !== 'string') return 'could be';
  const host = hostOf(url);
  if (host === undefined) return 'could be';
  const wanted = normalize(domain);
  if (wanted === '*') return 'yes';
  if (!wanted.startsWith('*.')) return host === wanted ? 'yes' : 'no';
  return host === wanted.slice(2) || host.endsWith(wanted.slice(1)) ? 'yes' : 'no';
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
