// Loaded before each test file where TEST_TIMES names a file: at its end each process adds a line there, the seconds of CPU that it and its ended
// children took (proc(5), stat), its seconds by the clock, and what it ran. What PostgreSQL took is not in it.
'use strict'
const { appendFileSync, readFileSync } = require('node:fs')
const { relative } = require('node:path')

const TICKS = 100
const began = performance.now()
const path = process.env.TEST_TIMES

if (path && process.platform === 'linux') {
  process.once('exit', () => {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
    const [own, children] = [11, 13].map((at) => (Number(fields[at]) + Number(fields[at + 1])) / TICKS)
    const clock = (performance.now() - began) / 1000
    const row = [own + children, own, children, clock].map((seconds) => seconds.toFixed(1).padStart(7)).join(' ')
    appendFileSync(path, `${row}  ${relative(process.cwd(), process.argv[1] ?? '')}\n`)
  })
}
