// Starts the server for development: `npm run dev`. It starts again when a file changes.
import { spawn } from 'node:child_process'

const watching = spawn(process.execPath, ['--watch', 'src/main.ts'], {
  env: { ...process.env, NODE_ENV: 'development' },
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => watching.kill('SIGTERM'))
watching.once('exit', (code) => process.exit(code ?? 1))
