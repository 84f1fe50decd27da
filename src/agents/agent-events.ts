import type { SupervisorPorts } from './ports.ts'

type News = Pick<SupervisorPorts, 'onEntry' | 'onRead' | 'onNewContext' | 'onChange'>

/** A listener for agent events. */
export type AgentWatcher = Partial<News>

/** Calls all watchers in order. The list is read at each event, because features register after the supervisor exists. */
export const tellAll = (watchers: () => readonly AgentWatcher[]): News => ({
  onEntry: (...news) => watchers().forEach((one) => one.onEntry?.(...news)),
  onRead: (...news) => watchers().forEach((one) => one.onRead?.(...news)),
  onNewContext: (...news) => watchers().forEach((one) => one.onNewContext?.(...news)),
  onChange: (...news) => watchers().forEach((one) => one.onChange?.(...news)),
})
