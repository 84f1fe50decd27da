import type { SupervisorPorts } from './ports.ts'

type News = Pick<SupervisorPorts, 'onEntry' | 'onRead' | 'onNewContext' | 'onChange'>

/** Whoever wants to know what happens to agents. */
export type AgentWatcher = Partial<News>

/** Tells all of them, one after the other. They may come to be after whoever tells them. */
export const tellAll = (watchers: () => readonly AgentWatcher[]): News => ({
  onEntry: (...news) => watchers().forEach((one) => one.onEntry?.(...news)),
  onRead: (...news) => watchers().forEach((one) => one.onRead?.(...news)),
  onNewContext: (...news) => watchers().forEach((one) => one.onNewContext?.(...news)),
  onChange: (...news) => watchers().forEach((one) => one.onChange?.(...news)),
})
