import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Box, type Result, until } from './harness.ts'

/** Runs whatever lines it is given in a shell of its own, as an agent's tool would. */
const commanded = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
orders=\${0%/*}/orders-$REIN_HANDLE
rm -f "$orders" && mkfifo "$orders"
echo '{"type":"result","subtype":"success"}'
while :; do
  while IFS= read -r line; do sh -c "$line"; done <"$orders"
done
`

/** From now on each agent of this box does what the test says. */
export const commandAgents = ({ env }: Box): void =>
  writeFileSync(env['REIN_CLAUDE_PATH'] ?? '', commanded, { mode: 0o755 })

let count = 0

/** Lets an agent run a line; resolves when that has said how it ended, wherever its process has gone. */
export const runUnder = async ({ root }: Box, handle: string, line: string): Promise<Result> => {
  count += 1
  const file = (name: string): string => join(root, `${name}-${count}`)
  const [out, err, code, script] = [file('out'), file('err'), file('code'), file('script')]
  writeFileSync(script, `( ${line} ) >${out} 2>${err}; echo $? >${code}.new; mv ${code}.new ${code}\n`)
  writeFileSync(join(root, `orders-${handle}`), `sh ${script}\n`)
  await until(() => existsSync(code))
  return {
    code: Number(readFileSync(code, 'utf8')),
    stdout: readFileSync(out, 'utf8'),
    stderr: readFileSync(err, 'utf8'),
  }
}
