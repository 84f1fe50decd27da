import { defineConfig } from 'vitest/config'

// Real processes meet deadlines of real time, and foreign CLIs have moods: what fails is tried once more, and named at the end.
const withProcesses = { pool: 'forks', globalSetup: './scripts/build.mjs', maxWorkers: 2, retry: 1 } as const
const withForeignParts = { ...withProcesses, testTimeout: 120_000, hookTimeout: 120_000 } as const

// Groups run one after the other, so real processes never compete with unit tests for the processor.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          pool: 'threads',
          testTimeout: 30_000,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...withProcesses,
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...withProcesses,
          name: 'proof',
          include: ['test/proof/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          retry: 0,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...withForeignParts,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...withForeignParts,
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
