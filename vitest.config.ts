import { defineConfig } from 'vitest/config'

const buildsDist = { pool: 'forks', globalSetup: './scripts/build.mjs' } as const

// The CLIs and the terminals in which these run are not ours: what fails there is tried once more, and named at the end.
const withForeignParts = { ...buildsDist, maxWorkers: 1, testTimeout: 120_000, hookTimeout: 120_000, retry: 1 } as const

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
          ...buildsDist,
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...withForeignParts,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...withForeignParts,
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
