import { showTeam } from '../tasks/shown.ts'

export const run = showTeam(({ connect, cwd }) => connect().teamDown({ cwd: cwd() }))
