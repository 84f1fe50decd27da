import type { Driver } from '../contract.ts'
import { assets } from './assets.ts'
import { capabilities, minVersion } from './capabilities.ts'
import { decode } from './decode.ts'
import { detect } from './detect.ts'
import { encode } from './encode.ts'
import { launch } from './launch.ts'
import { protocol } from './protocol.ts'
import { readScreen } from './screen.ts'
import { locate, parse } from './transcript.ts'

export const claude: Driver = {
  name: 'claude',
  title: 'Claude Code',
  minVersion,
  hosts: ['stream', 'tmux'],
  detect,
  capabilities,
  assets,
  launch,
  hooks: { decode, encode },
  transcript: { locate, parse },
  stream: protocol,
  readScreen,
}
