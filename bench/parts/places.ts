// Where a bench keeps its data: a folder beside the project, and on PostgreSQL a database of its own. Both are gone at the end.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import type { Engine } from '../../src/database/engine.ts'
import { watchPostgres } from './cpu.ts'
import { engine } from './options.ts'

export interface Place {
  folder: string
  /** What DATABASE_URL would be, or the path of the SQLite file. */
  url: string
  /** Settings of a server on this place. */
  environment: Record<string, string>
}

/** Makes a place: of the engine that was asked for, or of this one. */
export type MakePlace = (name: string, on?: Engine) => Promise<Place>

function serverUrl(): string {
  const url = process.env['TEST_POSTGRES_URL'] ?? process.env['DATABASE_URL']
  if (!url)
    throw new Error('Set TEST_POSTGRES_URL to a PostgreSQL on this machine, with an account that is a superuser')
  return url
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

const urlOf = (database: string): string => {
  const url = new URL(serverUrl())
  url.pathname = `/${database}`
  return url.href
}

/** A database of PostgreSQL that stays until it is removed: one that takes long to fill. */
export async function keptDatabase(name: string): Promise<{ name: string; url: string }> {
  const database = `guildhall_bench_${name}`
  await onServer(`create database ${database}`).catch((error: unknown) => {
    // It is there (PostgreSQL, Appendix A: duplicate_database).
    if (!(error instanceof pg.DatabaseError) || error.code !== '42P04') throw error
  })
  return { name: database, url: urlOf(database) }
}

export const removeDatabase = (name: string): Promise<void> => onServer(`drop database if exists ${name} with (force)`)

/** Runs a bench; whatever it made is removed afterwards, also when it is interrupted. */
export async function inPlaces(work: (make: MakePlace) => Promise<void>): Promise<void> {
  // Beside the project and not in /tmp, which may be memory: an fsync must reach a disk.
  const root = resolve(mkdtempSync('bench-data-'))
  const databases: string[] = []
  const remove = async () => {
    for (const name of databases.splice(0)) await removeDatabase(name)
    // What is interrupted may still write.
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
  const interrupted = () => void remove().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted)
  const postgresUrl = async (name: string) => {
    const database = `guildhall_bench_${name.replaceAll('-', '_')}_${randomBytes(4).toString('hex')}`
    databases.push(database)
    await onServer(`create database ${database}`)
    return urlOf(database)
  }
  try {
    if (engine === 'postgres') await watchPostgres(serverUrl())
    await work(async (name, on = engine) => {
      const folder = join(root, name)
      mkdirSync(folder)
      const url = on === 'postgres' ? await postgresUrl(name) : join(folder, 'guildhall.db')
      const environment = { DATA_DIR: folder, DATABASE_URL: on === 'postgres' ? url : '', NODE_ENV: '' }
      return { folder, url, environment }
    })
  } finally {
    await remove()
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted)
  }
}
