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
  {
    path: '/questions',
    title: () => 'Questions',
    load: async () => (await import('./questions.tsx')).QuestionsView,
    nav: { icon: 'question', key: 'q' },
  },
  {
    path: '/rooms',
    title: () => 'Rooms',
    load: async () => (await import('./rooms.tsx')).RoomsView,
    nav: { icon: 'rooms', key: 'r' },
  },
  {
    path: '/rooms/:project/:room',
    title: ({ room = '' }) => room,
    load: async () => (await import('./room.tsx')).RoomView,
  },
  {
    path: '/bus/:project',
    title: () => 'Events',
    load: async () => (await import('./bus.tsx')).BusView,
  },
  {
    path: '/tasks',
    title: () => 'Tasks',
    load: async () => (await import('./tasks.tsx')).TasksView,
    nav: { icon: 'tasks', key: 't' },
  },
  {
    path: '/tasks/:project',
    title: () => 'Tasks',
    load: async () => (await import('./tasks.tsx')).TasksView,
  },
  {
    path: '/tasks/:project/:task',
    title: ({ task = '' }) => task,
    load: async () => (await import('./task.tsx')).TaskView,
  },
  {
    path: '/settings',
    title: () => 'Settings',
    load: async () => (await import('./settings.tsx')).SettingsView,
    nav: { icon: 'settings', key: 's' },
  },
]
