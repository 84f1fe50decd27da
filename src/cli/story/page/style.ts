/** Colours of agents, one after the other. */
const hues = [212, 28, 150, 285, 340, 185, 60, 250]

const base = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf7; --paper: #fff; --ink: #1d2025; --dim: #646b76; --line: #dedbd3;
  --good: #1a7f45; --warn: #8a5a00; --bad: #b3261e; --l: 42%; --s: 60%;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15171b; --paper: #1e2126; --ink: #e4e6ea; --dim: #99a1ad; --line: #343942;
    --good: #63c98c; --warn: #e0b15a; --bad: #ff8a80; --l: 70%; --s: 65%;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { padding: 1.5rem; max-width: 110rem; margin: 0 auto; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; }
.dim, time, .evidence { color: var(--dim); }
code, .evidence { font: 12.5px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--dim); font-weight: 500; }
td.number, th.number { text-align: right; }
.filters { position: sticky; top: 0; z-index: 1; background: var(--ground); border-bottom: 1px solid var(--line); padding: .4rem 0; margin-top: 1rem; }
fieldset { border: 0; margin: 0; padding: .1rem 0; display: flex; flex-wrap: wrap; gap: .1rem .9rem; }
legend { float: left; width: 4rem; color: var(--dim); }
.lanes { display: grid; gap: .4rem .6rem; align-items: start; }
.heading { font-weight: 600; border-bottom: 3px solid; padding: .2rem 0; overflow-wrap: anywhere; }
.day { grid-column: 1 / -1; margin: 1rem 0 0; font-size: 1rem; }
.moment { background: var(--paper); border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 6px; padding: .4rem .6rem; min-width: 0; overflow-wrap: anywhere; break-inside: avoid; }
.moment[hidden] { display: none; }
.moment header { display: flex; flex-wrap: wrap; gap: 0 .6rem; font-size: .8rem; color: var(--dim); }
.moment .who { font-weight: 600; }
.moment ul { margin: .2rem 0; padding-left: 1.1rem; }
.lane-none { grid-column: 1 / -1; }
.tone-good .text, .outcome.tone-good { color: var(--good); }
.tone-warn .text, .outcome.tone-warn { color: var(--warn); }
.tone-bad .text, .outcome.tone-bad { color: var(--bad); font-weight: 600; }
.tone-bad { border-color: var(--bad); }
.evidence summary { cursor: pointer; }
.evidence { font-size: 11px; }
@media (max-width: 50rem) {
  main { padding: .8rem; }
  .lanes { display: block; }
  .lanes > .heading { display: none; }
  .moment { margin: .4rem 0; }
  .filters { position: static; }
}
@media print {
  :root { --ground: #fff; --paper: #fff; --ink: #000; --dim: #444; --line: #bbb; --good: #060; --warn: #640; --bad: #900; --l: 35%; }
  .filters, .evidence { display: none; }
  body { font-size: 10pt; }
  .lanes { display: block; }
  .lanes > .heading { display: none; }
  .moment { margin: .3rem 0; }
}
`

/** Each agent has a lane of its own; where they do not fit beside each other, one looks along. */
export const styleFor = (lanes: number): string =>
  [
    base,
    `.lanes { grid-template-columns: repeat(${Math.max(1, lanes)}, minmax(14rem, 1fr)); }`,
    ...Array.from({ length: lanes }, (_, lane) => {
      const colour = `hsl(${hues[lane % hues.length]} var(--s) var(--l))`
      return [
        `.lane-${lane} { grid-column: ${lane + 1}; }`,
        `.moment.lane-${lane}:not(.tone-bad) { border-left-color: ${colour}; }`,
        `.lane-${lane} .who, .heading.lane-${lane} { color: ${colour}; }`,
      ].join('\n')
    }),
    '',
  ].join('\n')
