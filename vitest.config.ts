import { defineConfig } from 'vitest/config'
import { browserProgram } from './test/support/abilities.ts'
import { yamlTables } from './scripts/yaml-tables.mjs'

const seeded = { setupFiles: './test/support/property-seed.ts' }
/** Real processes mostly wait for each other, so more of them than cores keep the cores busy. */
const withProcesses = { ...seeded, pool: 'forks', globalSetup: './scripts/build.mjs', maxWorkers: 3 } as const
/** A limit that only something that hangs reaches: a loaded machine needs many times what an idle one does. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000 } as const

// Groups run one after the other, so real processes never compete with unit tests for the processor. `test/support/groups.ts` says which tier they belong to.
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [yamlTables],
        test: {
          ...seeded,
          ...patient,
          name: 'unit',
          include: ['src/**/*.test.ts', 'tools/*.test.ts', 'test/*.test.ts'],
          pool: 'forks',
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [yamlTables],
        test: {
          ...withProcesses,
          ...patient,
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [yamlTables],
        test: {
          ...withProcesses,
          ...patient,
          name: 'proof',
          include: ['test/proof/**/*.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        plugins: [yamlTables],
        test: {
          ...withProcesses,
          ...patient,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        plugins: [yamlTables],
        test: {
          ...withProcesses,
          ...patient,
          name: 'web',
          // Without a browser nothing of it can run: the runner says so, and `test/proof` tries the page's socket.
          include: browserProgram === null ? [] : ['test/web/**/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        plugins: [yamlTables],
        test: {
          ...withProcesses,
          ...patient,
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          sequence: { groupOrder: 5 },
        },
      },
      {
        plugins: [yamlTables],
        test: {
          ...withProcesses,
          testTimeout: 900_000,
          hookTimeout: 900_000,
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
