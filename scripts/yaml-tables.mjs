// Turns the YAML tables that sources import into code, for the build, for vitest and for load-ts.mjs: nothing parses YAML at run time.
import { parse } from 'yaml'

/** V8 reads a large table faster as JSON than as an object literal. */
const compileTable = (text) =>
  `export const table = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(parse(text)))})`

/** A plugin of rolldown and of vite. */
export const yamlTables = {
  name: 'yaml-tables',
  transform: {
    filter: { id: /\.yaml$/ },
    handler: (text) => ({ code: compileTable(text), map: null, moduleType: 'js' }),
  },
}
