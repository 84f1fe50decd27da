import { expect, test } from 'vitest'
import { nearPages } from './near-pages.ts'

const pages = [
  { topic: 'first-agent', title: 'Your first agent', about: 'start one, tell it something' },
  { topic: 'top', title: 'rein top', about: 'all agents live' },
  { topic: 'notifications', title: 'Notifications', about: 'hear when an agent asks you' },
  { topic: 'webhooks', title: 'The webhook adapter', about: 'signed webhooks in' },
  { topic: 'adapters', title: 'Adapters', about: 'timer, file watch, Telegram' },
  { topic: 'permissions', title: 'Permissions', about: 'answer what agents ask' },
  { topic: 'install', title: 'Install', about: 'npm, a clone' },
]
const headings: Record<string, string[]> = { install: ['Version managers'], top: ['Keys'] }
const near = (word: string): string[] =>
  nearPages(pages, word, ({ topic }) => headings[topic] ?? []).map(({ topic }) => topic)

test.each([
  ['agents', ['first-agent', 'top', 'notifications', 'permissions']],
  ['Agent', ['first-agent', 'top', 'notifications', 'permissions']],
  ['notify', ['notifications']],
  ['permision', ['permissions']],
  ['webhook-adapter', ['webhooks', 'adapters']],
  ['telegram', ['adapters']],
  ['instal', ['install']],
  ['keys', ['top']],
  ['quantum', []],
  ['', []],
])('%s: %j', (word, topics) => {
  expect(near(word)).toEqual(topics)
})
