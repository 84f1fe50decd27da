import { describe, expect, test } from 'vitest'
import { agentRef, person } from '../../../test/support/builders.ts'
import { dump } from '../../../test/support/in-process-log.ts'
import { startTasks } from '../../../test/support/task-world.ts'

const { project } = agentRef

const start = () => {
  const world = startTasks(project)
  return { ...world, tables: () => dump(world.db, ['task', 'task_member']) }
}

describe('tasks', () => {
  test('are found by name in any case, and by their agents', async () => {
    const { tasks, make, join } = start()
    const task = await make('Parser')
    await join(task, 'one')
    expect([tasks.get(project, 'pARSER').id, tasks.of('agt_one')?.id, tasks.of('agt_two')]).toEqual([
      task.id,
      task.id,
      null,
    ])
    expect(tasks.find('another', 'Parser')).toBeNull()
    expect(() => tasks.get(project, 'praser')).toThrow(expect.objectContaining({ hint: 'Did you mean Parser?' }))
  })

  test('of the same name there is one, also if two are made at once', async () => {
    const { make, tasks } = start()
    const made = await Promise.allSettled([make('parser'), make('PARSER')])
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(tasks.all(null)).toHaveLength(1)
  })

  test('one that is called like an agent of another is refused, for good', async () => {
    const { make, tasks } = start()
    const task = await make('api')
    await expect(make('api-1')).rejects.toThrow('would be mixed up')
    await tasks.move(task, 'done', null, person)
    await expect(make('api-1')).rejects.toThrow('would be mixed up')
    expect((await make('api-one')).name).toBe('api-one')
  })

  test('have one lead; another can come when that one has left', async () => {
    const { make, join, tasks } = start()
    const task = await make('parser')
    await join(task, 'one', 'lead')
    await join(task, 'one', 'lead')
    await expect(join(task, 'two', 'lead')).rejects.toThrow('one leads the task parser.')
    await tasks.leave(task, 'agt_one', 'enough', person)
    await join(task, 'two', 'lead')
    expect(tasks.get(project, 'parser').members).toMatchObject([{ agent: { handle: 'two' }, role: 'lead' }])
  })

  test('an agent has one at a time; one that is done has nobody any more', async () => {
    const { make, join, tasks } = start()
    const [first, second] = [await make('first'), await make('second')]
    await join(first, 'one')
    await expect(join(second, 'one')).rejects.toThrow('one is at the task first.')
    await tasks.move(first, 'done', null, person)
    expect(tasks.of('agt_one')).toBeNull()
    await join(second, 'one')
    expect(tasks.of('agt_one')?.name).toBe('second')
    const done = tasks.get(project, 'first')
    expect([done.members, tasks.stillAt(done)]).toEqual([[expect.anything()], []])
    expect(tasks.stillAt(tasks.get(project, 'second'))).toMatchObject([{ agent: { handle: 'one' } }])
  })

  test('the same again is written down once', async () => {
    const { make, tasks } = start()
    const running = await tasks.move(await make('parser'), 'start', null, person)
    expect(await tasks.move(running, 'start', null, person)).toEqual(running)
  })

  test('are changed by one at a time', async () => {
    const { tasks } = start()
    const never = new Promise<void>(() => undefined)
    void tasks.exclusively(project, 'Parser', 'start', () => never)
    await expect(tasks.exclusively(project, 'parser', 'stop', async () => 1)).rejects.toThrow('"stop" has to wait')
    await expect(tasks.exclusively(project, 'other', 'fail', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(await tasks.exclusively(project, 'other', 'again', async () => 2)).toBe(2)
  })

  test('are the same after their tables were made anew', async () => {
    const { make, join, tasks, rebuild, tables } = start()
    const task = await make('parser')
    await join(task, 'lead', 'lead')
    await join(task, 'one')
    await tasks.move(task, 'start', 'because', person)
    const before = tables()
    rebuild()
    expect(tables()).toBe(before)
  })
})
