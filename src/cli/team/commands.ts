import { bus } from '../bus/commands.ts'
import { chat } from '../chat/commands.ts'
import { decision } from '../decision/commands.ts'

export const team = { chat, bus, decision }
