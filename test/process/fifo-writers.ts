import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { FifoOutputs } from '../../src/features/channels/fifo/outputs.ts'
import { descriptors, mkfifo, startInputs, writeTo } from '../support/fifo-harness.ts'

/** The line of one writer, of exactly so many bytes with its end. */
const lineOf = (writer: number, seq: number, bytes: number): string => {
  const head = `${writer} ${seq} `
  return `${head}${String.fromCharCode(97 + (writer % 26)).repeat(bytes - head.length - 1)}\n`
}

/** A process that writes its lines, each with one write. */
export const startWriter = (path: string, writer: number, count: number, bytes: number): ChildProcess => {
  const source = join(path, '..', `source-${writer}`)
  writeFileSync(source, Array.from({ length: count }, (_, seq) => lineOf(writer, seq, bytes)).join(''))
  const args = [`if=${source}`, `of=${path}`, `bs=${bytes}`, 'conv=notrunc', 'status=none']
  const child = spawn('dd', args, { stdio: 'ignore' })
  onTestFinished(() => void (child.exitCode ?? child.signalCode ?? child.kill('SIGKILL')))
  return child
}

/** How many lines came of each writer; fails if one is damaged, missing in between or out of order. */
export const countWhole = (texts: string[]): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const text of texts) {
    const writer = Number(text.slice(0, text.indexOf(' ')))
    const seq = counts.get(writer) ?? 0
    expect(`${text}\n`).toBe(lineOf(writer, seq, text.length + 1))
    counts.set(writer, seq + 1)
  }
  return counts
}

/** So many writers at once, each with lines of so many bytes; returns what came of it. */
export const writeAtOnce = async (writers: number, lines: number, sizes: readonly number[]) => {
  const { dir, inputs, messages, refused } = await startInputs()
  const started = Array.from({ length: writers }, (_, i) =>
    startWriter(join(dir, 'in'), i, lines, sizes[i % sizes.length] ?? 0),
  )
  await Promise.all(started.map((writer) => once(writer, 'exit')))
  await inputs.close()
  return { texts: messages.map(({ text }) => text), refused }
}

/** FIFOs come and go, fifty in each round; returns how many descriptors are left over, and what was wrong. */
export const comeAndGo = async (rounds: number) => {
  const { dir, inputs, texts, troubles, until } = await startInputs()
  const outputs = new FifoOutputs(dir)
  onTestFinished(() => outputs.close())
  const names = Array.from({ length: 25 }, (_, i) => `c${i}`)
  const round = async (number: number): Promise<void> => {
    const before = texts().length
    const paths = mkfifo(dir, ...names.flatMap((name) => [`in.${name}`, `out.${name}`]))
    await until(() => inputs.names().length === 26)
    for (const name of names) {
      const reader = openSync(join(dir, `out.${name}`), constants.O_RDONLY | constants.O_NONBLOCK)
      outputs.write(name, `round ${number}`)
      closeSync(reader)
      writeTo(join(dir, `in.${name}`), `round ${number}\nha`)
    }
    execFileSync('rm', paths)
    await until(() => inputs.names().length === 1)
    expect([texts().length - before, outputs.names()]).toEqual([50, []])
  }
  await round(0)
  const before = descriptors()
  for (let number = 1; number <= rounds; number += 1) await round(number)
  return { left: descriptors() - before, troubles }
}
