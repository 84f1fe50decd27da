/** The daemon and every client send this; a client from a newer Rein replaces an older daemon. */
export const versionHeader = 'x-rein-version'
/** The daemon sends this: two builds may have the same version. */
export const buildHeader = 'x-rein-build'
/** Says that the caller acts as an agent: it carries that agent's token. */
export const agentTokenHeader = 'x-rein-agent-token'
/** Says which process is calling, so that the daemon can look whether it runs under an agent: `PID.SECRET`. */
export const callerHeader = 'x-rein-caller'
