// The server on PostgreSQL 18.
import { lanePostgres } from './postgres.ts'

lanePostgres('18.4.0-beta.17')
