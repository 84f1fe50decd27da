import { showTeam } from '../tasks/shown.ts'

export const run = showTeam(({ connect, cwd }) => connect().teamStatus({ cwd: cwd() }))
