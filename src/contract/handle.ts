/** In a file without zod: the command line checks a handle before it asks the daemon. */
export const longestHandle = 64
export const handlePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
/** The name that means an agent from anywhere. */
export const fullName = ({ project, handle }: { project: string; handle: string }): string => `${project}/${handle}`
/** The name that means it where it is typed: in its own directory its handle does. */
export const nameFrom = (cwd: string, agent: { project: string; handle: string; cwd: string }): string =>
  agent.cwd === cwd ? agent.handle : fullName(agent)
/** `shop` for `shop-3cce40`: the digits only tell projects of one name apart. */
export const projectName = (project: string): string => project.replace(/-[0-9a-f]{6}$/, '')
/** The command that resumes it from any directory. */
export const continueCommand = (agent: { project: string; handle: string }): string =>
  `rein up ${fullName(agent)} --continue`
/** In a room these mean everybody, the person and Rein itself. */
export const reservedHandles: readonly string[] = ['all', 'user', 'rein']
/** Never a path: no dot, no slash. */
export const channelPattern = /^[a-z0-9_-]{1,32}$/
/** A task: names go into handles, branches and file names. */
export const taskPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
/** A kind of event on the bus, like `task-complete`. */
export const eventTypePattern = /^[a-z][a-z0-9-]{0,63}$/
/** The subjects that an agent watches: `room:NAME`, `bus:TYPE`, `hub:NAME`, each with `*` for anything. */
export const subjectPattern = /^(room|bus|hub):[a-z0-9_*-]{1,64}$/
/** A turn of a session: its number, and a letter if it is not the first of that number. */
export const turnPattern = /^\d{1,6}[a-z]*$/
/** The name of a task, an agent or a session, where it may be any of them. */
export const longestTarget = 200
