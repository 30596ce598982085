// What `guildhall new skill` writes.
import type { Template } from '../template.ts'
import { idOf } from '../template-texts.ts'

export const template: Template = (name) => {
  const id = idOf(name)
  return { at: id, files: { 'SKILL.md': skillOf(id, name.replace(/\s+/g, ' ')), 'scripts/count.py': SCRIPT } }
}

const skillOf = (id: string, title: string) => `---
name: ${id}
description: Counts the words of a text file. Use it when a person asks how long a text is.
license: MIT
metadata:
  version: "0.1.0"
---
# ${title}

1. Run \`python3 scripts/count.py FILE\`.
2. Say the number that it prints.

A file that is no text is an error of the script: say so.
`

const SCRIPT = `import sys

with open(sys.argv[1], encoding="utf-8") as file:
    print(len(file.read().split()))
`
