// The server on PostgreSQL 16.
import { lanePostgres } from './postgres.ts'

lanePostgres('16.14.0-beta.17')
