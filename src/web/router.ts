import { computed, signal } from '@preact/signals'
import { pairWith } from './link/pairing.ts'
import { pairingCode, takePairingCode } from './link/pairing-code.ts'
import { matchPath, type PathMatch } from './match-path.ts'
import { type ViewRow, views } from './views/index.ts'

interface Route extends PathMatch {
  /** Without `#`: `/agent/shop/ada`. */
  path: string
  view: ViewRow | null
}

const hashPath = (): string => location.hash.slice(1) || '/'

/** Who came with a code begins at the first view; the import also sees to it that the code is gone before the hash is read. */
const path = signal(pairingCode === null ? hashPath() : '/')

const findRoute = (asked: string): Route => {
  for (const view of views) {
    const match = matchPath(view.path, asked)
    if (match !== null) return { path: asked, view, ...match }
  }
  return { path: asked, view: null, params: {}, query: {} }
}

export const route = computed(() => findRoute(path.value))

export const hrefOf = (to: string): string => `#${to}`

export const go = (to: string): void => {
  location.hash = to
}

addEventListener('hashchange', () => {
  // A pairing link may be opened in a tab that has the page already.
  const code = takePairingCode()
  path.value = hashPath()
  if (code !== null) void pairWith(code)
})
