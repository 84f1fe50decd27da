import { expect, onTestFinished, test, vi } from 'vitest'
import { KeptTerminal, type Viewer } from './kept-terminal.ts'

const size = { columns: 80, rows: 24 }

/** A shell in a terminal; resolves when it has written something. */
const shell = (script: string): Promise<KeptTerminal> =>
  new Promise((resolve) => {
    const plan = { command: '/bin/sh', args: ['-c', script], env: {}, cwd: '/' }
    const terminal = new KeptTerminal(
      plan,
      size,
      () => resolve(terminal),
      () => undefined,
    )
    onTestFinished(() => terminal.signal('SIGKILL'))
  })

const viewer = (): Viewer & { text: () => string } => {
  const shown: Buffer[] = []
  return {
    size,
    show: (bytes) => void shown.push(bytes),
    ended: () => undefined,
    text: () => Buffer.concat(shown).toString(),
  }
}

test.each([
  ['attach', '\u001b[H\u001b[2J'],
  ['showAgain', '\u0018\u001bc'],
] as const)('a picture in the middle of a sequence: its beginning comes along (%s)', async (how, before) => {
  const terminal = await shell(`stty -echo; printf 'whole \\033[3'; read x; printf '1mred'; read x`)
  const one = viewer()
  terminal.attach(one)
  await vi.waitFor(() => expect(one.text()).toContain('whole'))
  if (how === 'showAgain') terminal.showAgain(one)
  await vi.waitFor(() => expect(one.text()).toContain(`${before}whole`))
  terminal.type(one, Buffer.from('\n'))
  await vi.waitFor(() => expect(one.text()).toContain('red'))
  expect(one.text().slice(one.text().lastIndexOf(before))).toMatch(/whole[^]*\u001b\[31mred/)
})

test('whoever has typed leaves with a key; one who only looked does not', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const terminal = await shell('printf ready; read x; read x')
  const [typing, looking] = [viewer(), viewer()]
  for (const one of [typing, looking]) terminal.attach(one)
  terminal.type(typing, Buffer.from('a'))
  now = 5000
  terminal.detach(looking)
  expect(terminal.typedMsAgo).toBe(5000)
  terminal.detach(typing)
  now = 6000
  expect(terminal.typedMsAgo).toBe(1000)
})
