import { goBack } from './back.ts'

export const run = goBack('undo')
