interface FetchLike {
  method: string
  mode: string
  url: string
}

/**
 * `shell`: the page itself, which comes from the network, or else as it was last; `asset`: never changes, its name has its hash.
 * Everything else is none of the worker's business, least of all what the daemon answers.
 */
export const decideFetch = ({ method, mode, url }: FetchLike, origin: string): 'shell' | 'asset' | 'pass' => {
  const asked = new URL(url)
  if (method !== 'GET' || asked.origin !== origin) return 'pass'
  if (mode === 'navigate') return asked.pathname === '/' ? 'shell' : 'pass'
  return asked.pathname.startsWith('/assets/') ? 'asset' : 'pass'
}
