/** A table in YAML becomes a module when sources are bundled (`scripts/yaml-tables.mjs`). */
declare module '*.yaml' {
  export const table: unknown
}
