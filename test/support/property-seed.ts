/** Runs before each test file: property tests take their values from the seed that the runner chose. */
import * as fc from 'fast-check'
import { testSeed } from './seeded.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed })
