import type { FunctionComponent } from 'preact'
import type { IconName } from '../parts/icon.tsx'

export interface ViewProps {
  params: Record<string, string>
  query: Record<string, string>
}

export interface ViewRow {
  /** `:name` stands for a part: `/agent/:project/:handle`. */
  path: string
  title: (params: Record<string, string>) => string
  /** Loaded when it is shown first. */
  load: () => Promise<FunctionComponent<ViewProps>>
  /** Its place in the navigation, for views without parameters. */
  nav?: { icon: IconName; key: string }
}

/** Every view of the page, in the order of the navigation. `key`: `g`, then this letter, goes there. */
export const views: readonly ViewRow[] = [
  {
    path: '/',
    title: () => 'Agents',
    load: async () => (await import('./agents.tsx')).AgentsView,
    nav: { icon: 'agents', key: 'a' },
  },
  {
    path: '/agent/:project/:handle',
    title: ({ handle = '' }) => handle,
    load: async () => (await import('./agent.tsx')).AgentView,
  },
]
