import { switchPack } from './rule-packs.ts'

export const run = switchPack(false)
