import type { Advice, Command } from '../../src/contract/command.ts'
import type { ResponderReply } from '../../src/contract/hooks.ts'
import type { FileTools } from '../../src/drivers/contract.ts'
import type { About, AdviceSettings } from '../../src/features/memory/advise/about.ts'
import { Adviser } from '../../src/features/memory/advise/adviser.ts'
import { Book } from '../../src/features/memory/book/book.ts'
import { diagnose } from '../../src/features/memory/diagnose/diagnose.ts'
import { FixMemory } from '../../src/features/memory/diagnose/fix-memory.ts'
import type { Tree } from '../../src/features/memory/advise/ground.ts'
import type { Prediction } from '../../src/features/memory/predict/event.ts'
import { isWithin } from '../../src/base/shell/places.ts'
import { LineCache } from '../../src/base/shell/line-cache.ts'

export const usualAdvice: AdviceSettings = {
  isOn: true,
  suggest: true,
  diagnose: true,
  rewrite: true,
  denyFailing: false,
  wrongTool: 'advise',
  confidence: 0.6,
  tokens: 250,
  cooldownMs: 1000,
}
const fileTools: FileTools = { read: 'Read', edit: 'Edit', write: 'Write', search: null, find: null }
export const missingModule = "Error: Cannot find module 'left-pad'\nRequire stack:\n- /srv/app/index.js"

/** Everything around the adviser, with the real memory of one project. */
export class World {
  readonly lines = new LineCache()
  readonly book = new Book()
  readonly fixes = new FixMemory(this.lines)
  readonly decided: Advice[] = []
  readonly asked: string[] = []
  predictions: Prediction[] = []
  heldOut = new Set<string>()
  there = new Set<string>()
  trees: Tree[] = []
  /** By an earlier daemon. */
  readonly said = new Map<string, readonly Advice[]>()
  settings = usualAdvice
  time = 0
  #ids = 0
  #adviser: Adviser | null = null

  get adviser(): Adviser {
    this.#adviser ??= new Adviser({
      next: ({ session }, limit) => {
        this.asked.push(session)
        return this.predictions.slice(0, limit)
      },
      diagnose: (_project, failure) => diagnose(failure, this.lines.read(failure.command), this.fixes),
      book: () => this.book,
      entryAt: (path) => (this.there.has(path) ? 'directory' : null),
      treeAt: (path) => this.trees.find(({ root }) => isWithin(root, path)) ?? null,
      settings: this.settings,
      isHeldOut: (session) => this.heldOut.has(session),
      saidBefore: (session) => this.said.get(session) ?? [],
      now: () => (this.time += 5000),
      newId: (prefix) => `${prefix}_${++this.#ids}`,
      decided: (advice) => this.decided.push(advice),
    })
    return this.#adviser
  }

  about(session = 'B', given: Partial<About> = {}): About {
    return {
      project: 'shop',
      session,
      author: 'claude',
      agent: 'a1',
      cwd: '/srv/app',
      fileTools,
      tools: [],
      edited: [],
      tellsRewrite: true,
      room: 9000,
      ...given,
    }
  }

  ran(command: string, exit = 0, session = 'B', output = ''): Command {
    return {
      id: `cmd_${++this.#ids}`,
      command,
      at: this.time,
      cwd: '/srv/app',
      exit,
      durationMs: 1,
      outcome: exit === 0 ? 'ok' : 'failed',
      session,
      author: 'claude',
      output,
      branch: null,
      isDirty: null,
      tools: [],
      edited: [],
      source: 'hook',
      secrets: 0,
    }
  }

  /** As the daemon does it: it is learnt first. */
  learn(command: string, exit = 0, session = 'A', output = ''): Command {
    const one = this.ran(command, exit, session, output)
    this.book.learn(one, this.lines.read(command))
    this.fixes.observe({ session, command, exit, output })
    return one
  }

  run(command: string, exit = 0, output = '', session = 'B'): string | null {
    return textOf(this.adviser.after(this.about(session), [this.learn(command, exit, session, output)]))
  }
}

export const textOf = (reply: ResponderReply): string | null => reply.context?.[0]?.text ?? null
export const sure = (text: string, score = 0.9): Prediction => ({
  text,
  template: text,
  score,
  source: 'history',
  reasons: ['3 of 3 after the last command here'],
})
