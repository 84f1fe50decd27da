import { beforeEach, expect, test } from 'vitest'
import { ProjectRooms } from './project-rooms.ts'

let projects: string[]
let followed: Set<string>
let asked: string[]
let rooms: ProjectRooms

beforeEach(() => {
  projects = ['shop']
  followed = new Set()
  asked = []
  rooms = new ProjectRooms({
    listProjects: async () => projects.map((project) => ({ project })),
    listRooms: async (project) => {
      asked.push(project)
      return []
    },
    follow: (project, onRooms) => {
      followed.add(project)
      onRooms([])
      return () => void followed.delete(project)
    },
  })
  rooms.open()
})

test('a project that is new appears, and none is followed twice or after the end', async () => {
  await rooms.refresh()
  projects = ['shop', 'bank']
  await rooms.refresh()
  expect([...(rooms.rooms.value ?? []).keys()]).toEqual(['shop', 'bank'])
  expect([...followed]).toEqual(['shop', 'bank'])
  const late = rooms.refresh()
  rooms.close()
  await late
  expect(followed.size).toBe(0)
})

test('of many projects, some are asked and not followed', async () => {
  projects = Array.from({ length: 60 }, (_, at) => `project-${at}`)
  await rooms.refresh()
  await rooms.refresh()
  expect([followed.size, asked.length, rooms.rooms.value?.size]).toEqual([48, 24, 60])
})
