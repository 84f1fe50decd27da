import { anthropic } from './anthropic.ts'
import { chat } from './chat.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'
import type { Wire } from './wire.ts'

export const wires: readonly Wire[] = [anthropic, responses, chat, gemini]
