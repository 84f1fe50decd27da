export interface PathMatch {
  params: Record<string, string>
  query: Record<string, string>
}

/** Null if a part is no valid encoding. */
const decode = (part: string): string | null => {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** `/agent/:project/:handle` with `/agent/shop/ada?x=3`: what the parts are called, and the query. */
export const matchPath = (pattern: string, path: string): PathMatch | null => {
  const [before = '', after = ''] = path.split('?', 2)
  const wanted = pattern.split('/').filter(Boolean)
  const given = before.split('/').filter(Boolean).map(decode)
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? null
    if (value === null || (!part.startsWith(':') && part !== value)) return null
    if (part.startsWith(':')) params[part.slice(1)] = value
  }
  return { params, query: Object.fromEntries(new URLSearchParams(after)) }
}

/** `pathTo('agent', project, handle)`: each part is encoded. */
export const pathTo = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`

/** The questions, at one of them. */
export const questionPath = (id: string): string => `${pathTo('questions')}?question=${encodeURIComponent(id)}`
