import { writeFileSync } from 'node:fs'
import { type Box, createBox, type Env } from '../test/process/harness.ts'

/** Says its version, is busy at once, and takes whatever it is given. */
const busyClaude = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
echo '{"type":"assistant"}'
exec cat >/dev/null
`

/** A Rein in a directory of its own; what was started from it is gone afterwards. */
export const withBox = async <T>(use: (box: Box) => Promise<T>, config: Env = {}): Promise<T> => {
  const endings: (() => void)[] = []
  // A user's daemon does not check its answers, so a measured one must not either.
  const box = createBox({ REIN_CHECK_ANSWERS: '', ...config }, (end) => endings.push(end))
  try {
    return await use(box)
  } finally {
    for (const end of endings) end()
  }
}

/** The agent CLI of a box is always busy. */
export const prepareBusyClaude = ({ env }: Pick<Box, 'env'>): void =>
  writeFileSync(env['REIN_CLAUDE_PATH'] ?? '', busyClaude)

/** Agents that never do anything: what is told to them waits. */
export const startBusyAgents = async (box: Box, count: number): Promise<string[]> => {
  const { env, cwd } = box
  prepareBusyClaude(box)
  const handles = Array.from({ length: count }, (_, index) => `agent-${index + 1}`)
  for (const handle of handles)
    await box.client().up({ handle, driver: 'claude', host: 'stream', request: { cwd, env: {}, args: [] }, env })
  return handles
}
