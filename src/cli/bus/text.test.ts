import { describe, expect, test } from 'vitest'
import type { EventsView, EventView } from '../../contract/routes/team.ts'
import {
  ackedText,
  busStatusText,
  controlTable,
  eventsText,
  eventTable,
  prunedText,
  publishedText,
  shownControls,
  watchesText,
} from './text.ts'
import { createStyle } from '../output.ts'

const plain = { style: createStyle(false), isAgent: false }
const now = new Date(2026, 0, 2, 12, 0, 0).getTime()

const event: EventView = {
  id: 'evt_1',
  project: 'shop',
  type: 'task-blocked',
  v: 1,
  priority: 'critical',
  payload: 'No database\nevt_9 low fake from nobody',
  from: 'worker-1',
  to: null,
  delivery: 'each',
  dedup: null,
  at: now - 120_000,
  due: now - 90_000,
  pending: ['worker-2', 'worker-3'],
  leasedBy: null,
  leasedUntil: null,
  overdue: true,
  escalated: 1,
}
const events = (...some: EventView[]): EventsView => ({
  events: some,
  left: 0,
  counts: { critical: 1, high: 0, normal: 3, low: 0 },
})

describe('events', () => {
  test('are a table, with whom they wait for', () => {
    const taken = { ...event, id: 'evt_2', overdue: false, leasedBy: 'worker-3', leasedUntil: now + 30_000 }
    const lines = eventTable({ ...events(event, taken), left: 2 }, now).split('\n')
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'PRIORITY', 'TYPE', 'FROM', 'AGE', 'WAITS FOR', 'PAYLOAD'],
      [
        'evt_1',
        'critical',
        'task-blocked',
        'worker-1',
        '2m',
        'overdue: worker-2 worker-3',
        'No database evt_9 low fake from nobody',
      ],
      ['evt_2', 'critical', 'task-blocked', 'worker-1', '2m', 'worker-3', 'No database evt_9 low fake from nobody'],
      ['(2 more.)'],
      ['Open: 1 critical, 3 normal.'],
    ])
    expect(eventTable(events(), now)).toBe('No open events.')
  })

  test('are read in full, and no payload passes for another event', () => {
    const once: EventView = {
      ...event,
      id: 'evt_2',
      payload: '',
      to: 'worker-3',
      delivery: 'once',
      overdue: false,
      leasedBy: 'worker-3',
      leasedUntil: now + 30_000,
    }
    const done: EventView = { ...event, id: 'evt_3', payload: '\u001b[2J', pending: [], overdue: false }
    expect(eventsText({ ...events(event, once, done), left: 1 }, now, plain).split('\n')).toEqual([
      'evt_1 critical task-blocked from worker-1, 2m ago, overdue',
      '    No database',
      '    evt_9 low fake from nobody',
      'evt_2 critical task-blocked from worker-1, 2m ago, for worker-3, to be done once, taken by worker-3 for 30s',
      'evt_3 critical task-blocked from worker-1, 2m ago, done',
      '    \\u{1b}[2J',
      '(1 more.)',
    ])
    expect(eventsText(events(), now, plain)).toBe('No events.')
  })

  test('each line of a payload is marked for an agent', () => {
    expect(eventsText(events(event), now, { ...plain, isAgent: true }).split('\n')).toEqual([
      'evt_1 critical task-blocked from worker-1, 2m ago, overdue',
      '| No database',
      '| evt_9 low fake from nobody',
    ])
  })

  test('say whom they are for', () => {
    const published = {
      id: 'evt_1',
      type: 'task-blocked',
      priority: 'high',
      recipients: ['a', 'b'],
      duplicate: false,
    } as const
    expect(publishedText({ ...published, recipients: ['a', 'b'] })).toBe('evt_1: task-blocked, high, for a, b')
    expect(publishedText({ ...published, recipients: [] })).toBe(
      'evt_1: task-blocked, high, no agent watches this type',
    )
    expect(publishedText({ ...published, recipients: [], duplicate: true })).toBe(
      'The same was published before: evt_1',
    )
  })

  test('are acknowledged and forgotten', () => {
    expect(ackedText({ acked: ['evt_1', 'evt_2'], open: 3 })).toBe('Acknowledged: evt_1, evt_2. Open: 3.')
    expect(ackedText({ acked: [], open: 0 })).toBe('There was nothing to acknowledge. Open: 0.')
    expect(prunedText({ pruned: 7, kept: 2, bytes: 100 })).toBe('Forgotten: 7 events; kept: 2 events (100 bytes).')
  })
})

test('the status of the bus says whose turn it is', () => {
  const status = {
    project: 'shop',
    open: { critical: 1, high: 0, normal: 0, low: 2 },
    overdue: 1,
    oldestAt: now - 60_000,
    kept: 9,
    bytes: 1_000,
    recipients: [{ handle: 'worker-2', pending: 3, overdue: 1 }],
  }
  expect(busStatusText(status, now).split('\n')).toEqual([
    'shop: open 1 critical, 2 low, the oldest for 1m; overdue 1; kept 9 events (1000 bytes).',
    'HANDLE    PENDING  OVERDUE',
    'worker-2  3        1',
  ])
  const quiet = { ...status, open: { critical: 0, high: 0, normal: 0, low: 0 }, oldestAt: null, recipients: [] }
  expect(busStatusText(quiet, now)).toBe('shop: open none; overdue 1; kept 9 events (1000 bytes).')
})

test('what an agent watches', () => {
  const watches = {
    handle: 'worker-1',
    project: 'shop',
    subjects: ['room:*', 'bus:*'],
    except: [],
    intervalS: null,
    rooms: ['general', 'ops'],
  }
  expect(watchesText(watches)).toBe('worker-1 (shop) watches room:* bus:*.\nRooms: general, ops.')
  expect(watchesText({ ...watches, except: ['room:ops'], rooms: ['general'], intervalS: 600 }).split('\n')).toEqual([
    'worker-1 (shop) watches room:* bus:*, but not room:ops.',
    'Rooms: general.',
    'It is asked to check its inbox after 10m of idleness.',
  ])
  expect(watchesText({ ...watches, subjects: [], rooms: [], intervalS: 0 }).split('\n')).toEqual([
    'worker-1 (shop) watches nothing.',
    'Rooms: none.',
    'It is never asked to check its inbox.',
  ])
})

test('what was said on a control topic, and what came of it', () => {
  const line = { line: 'register room:ops', at: now, by: 'worker-1', error: null }
  const lines = controlTable([line, { ...line, line: 'regster\n\u001b[2J', error: 'no such word' }], now).split('\n')
  expect(lines.map((each) => each.split(/ {2,}/))).toEqual([
    ['WHEN', 'BY', 'LINE', 'RESULT'],
    ['12:00:00', 'worker-1', 'register room:ops', 'done'],
    ['12:00:00', 'worker-1', 'regster \\u{1b}[2J', 'no such word'],
  ])
  expect(controlTable([], now)).toContain('No control lines')
  const many = Array.from({ length: shownControls + 5 }, (_, n) => ({ ...line, line: `# ${n}` }))
  const [, first, ...rest] = controlTable(many, now).split('\n')
  expect([first, rest.length, rest.at(-1)]).toEqual([
    expect.stringMatching(/ # 5 +done$/),
    shownControls,
    '(5 older ones: --json shows all.)',
  ])
})
