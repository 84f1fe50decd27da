import { tellSession } from './tell-session.ts'

export const run = tellSession('start')
