// How the apps look: light or dark as their host says, or else as the system of the reader does.
export const style = `
:root { color-scheme: light; --ink: #1c1917; --faint: #57534e; --paper: #fff; --line: #d6d3d1; --good: #166534; --bad: #9f1239; --link: #1d4ed8 }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark; --ink: #f5f5f4; --faint: #a8a29e; --paper: #1c1917; --line: #44403c;
  --good: #86efac; --bad: #fda4af; --link: #93c5fd } }
:root[data-theme=dark] { color-scheme: dark; --ink: #f5f5f4; --faint: #a8a29e; --paper: #1c1917; --line: #44403c; --good: #86efac; --bad: #fda4af; --link: #93c5fd }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { padding: 16px; overflow-wrap: anywhere }
h1 { font-size: 18px; margin: 0 0 8px } h2 { font-size: 15px; margin: 12px 0 4px }
p { margin: 0 0 8px } ul { margin: 0; padding-left: 4px; list-style: none }
section + section { border-top: 1px solid var(--line); margin-top: 16px; padding-top: 16px }
.over, .name { color: var(--faint) } .name { margin-right: 6px }
.facts { display: flex; flex-wrap: wrap; gap: 16px } .fact { margin: 0 }
.text { white-space: pre-wrap }
.added, ins { color: var(--good) } .removed, del { color: var(--bad) } ins { text-decoration: none }
button { font: inherit; color: var(--link); background: none; border: 1px solid currentColor; border-radius: 6px; padding: 6px 12px; cursor: pointer }
`
