// Loaded before a program that bin/node.js starts: when that process is gone, the program is told to end.
'use strict'
const { isMainThread } = require('node:worker_threads')

if (isMainThread && process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // It does not keep a program alive that has nothing left to do.
  process.channel.unref()
}
