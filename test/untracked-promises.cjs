// Loaded before each test file. The test runner keeps for every promise which test made it, only to name that test when something fails
// that no test awaits; the file fails either way. Without it the server's tests take a tenth less of the processor.
'use strict'
const hooks = require('node:async_hooks')

const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
