{{/* Labels of a part; selectors use the first three, which never change. */}}
{{- define "yiqiao.selector" -}}
app.kubernetes.io/name: yiqiao
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{/* The same within braces. */}}
{{- define "yiqiao.match" -}}
{{ include "yiqiao.selector" . | fromYaml | toJson }}
{{- end }}

{{- define "yiqiao.labels" -}}
{{ include "yiqiao.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "yiqiao.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "yiqiao.pod" -}}
automountServiceAccountToken: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "yiqiao.container" -}}
image: {{ include "yiqiao.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {{ include "yiqiao.confined" . }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- range $n, $file := .Values.files }}
  - { name: files-{{ $n }}, mountPath: {{ $file.path }}, readOnly: true }
  {{- end }}
{{- end }}

{{- define "yiqiao.confined" -}}
{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- end }}

{{/* What pictures and recordings are read from, and the files that settings name. */}}
{{- define "yiqiao.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: 512Mi } }
{{- range $n, $file := .Values.files }}
{{- if $file.secret }}
- { name: files-{{ $n }}, secret: { secretName: {{ $file.secret }} } }
{{- else }}
- { name: files-{{ $n }}, configMap: { name: {{ $file.configMap }} } }
{{- end }}
{{- end }}
{{- end }}

{{/* Different zones, then different nodes, where there are any. */}}
{{- define "yiqiao.spread" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: {{ include "yiqiao.match" $ }} }
  {{- end }}
{{- end }}

{{- define "yiqiao.cluster" -}}
{{ .Values.database.cluster | default (printf "%s-db" .Release.Name) }}
{{- end }}

{{/* A cluster that begins with what another has backed up: `from` in the object store, or the Backup called so where there is none. */}}
{{- define "yiqiao.recovery" -}}
{{- $store := .root.Values.database.backup.objectStore -}}
bootstrap:
  recovery:
    database: {{ .root.Values.database.name }}
    owner: yiqiao
    secret: { name: {{ .root.Values.secrets.owner }} }
    {{- if $store }}
    source: {{ .from }}
    {{- with .targetTime }}
    recoveryTarget: { targetTime: {{ . | quote }} }
    {{- end }}
    {{- else }}
    {{- if .targetTime }}{{ fail "database.recovery.targetTime: only with database.backup.objectStore, snapshots have no WAL" }}{{ end }}
    backup: { name: {{ .from }} }
    {{- end }}
{{- if $store }}
externalClusters:
  - name: {{ .from }}
    plugin: { name: barman-cloud.cloudnative-pg.io, parameters: { barmanObjectName: {{ $store }}, serverName: {{ .from }} } }
{{- end }}
{{- end }}

{{/* Where PostgreSQL can be written to. */}}
{{- define "yiqiao.databaseHost" -}}
{{- if .Values.database.enabled -}}
{{ include "yiqiao.cluster" . }}-rw
{{- else -}}
{{ required "database.host: where your PostgreSQL is" .Values.database.host }}
{{- end }}
{{- end }}

{{/* One standby: a snapshot is one server's. Empty: none. */}}
{{- define "yiqiao.standbyHost" -}}
{{- if .Values.database.standbyHost -}}
{{ .Values.database.standbyHost }}
{{- else if and .Values.database.enabled (gt (int .Values.database.instances) 1) -}}
{{ include "yiqiao.cluster" . }}-standby
{{- end }}
{{- end }}

{{/* Audits, downloads and operators' lists read there; the login is that of DATABASE_URL. */}}
{{- define "yiqiao.standby" -}}
{{- with include "yiqiao.standbyHost" . }}
- name: STANDBY_DATABASE_URL
  value: {{ include "yiqiao.databaseUrl" (dict "root" $ "user" "DATABASE_USER" "password" "DATABASE_PASSWORD" "host" .) }}
{{- end }}
{{- end }}

{{- define "yiqiao.databaseUrl" -}}
postgresql://$({{ .user }}):$({{ .password }})@{{ .host }}:{{ .root.Values.database.port }}/{{ .root.Values.database.name }}
{{- end }}

{{- define "yiqiao.redisUrl" -}}
{{- if .Values.redis.enabled -}}
{{- $hosts := list -}}
{{- range $n := until 3 -}}
{{- $hosts = append $hosts (printf "%s-redis-%d.%s:26379" $.Release.Name $n (include "yiqiao.redisDomain" $)) -}}
{{- end -}}
redis+sentinel://:$(REDIS_PASSWORD)@{{ join "," $hosts }}/yiqiao
{{- else -}}
{{ required "redis.url: where your Redis is" .Values.redis.url }}
{{- end }}
{{- end }}

{{- define "yiqiao.redisDomain" -}}
{{ .Release.Name }}-redis.{{ .Release.Namespace }}.svc.{{ .Values.network.clusterDomain }}
{{- end }}

{{/* A login of the database from a secret: as NAME_USER and NAME_PASSWORD, for the variables after them. */}}
{{- define "yiqiao.login" -}}
- name: {{ .name }}_USER
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: username } }
- name: {{ .name }}_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: password } }
{{- end }}

{{/* Of every process: the settings, then what the chart knows better. */}}
{{- define "yiqiao.settings" -}}
{{- $settings := dict "NODE_ENV" "production" "HOST" "0.0.0.0" "METRICS_PORT" "9464" "METRICS_HOST" "0.0.0.0" "DRAIN_SECONDS" "5" "TRUSTED_PROXIES" .Values.network.trustedProxies }}
{{- with .Values.operators.ingress }}{{ if .enabled }}
{{- $_ := set $settings "OPERATOR_URL" (printf "https://%s" .host) }}
{{- end }}{{ end }}
{{- $_ := required "settings.PUBLIC_URL: the site's address, https://your.domain" .Values.settings.PUBLIC_URL }}
{{- $_ := required "settings.MAIL_FROM: the sender of every mail" .Values.settings.MAIL_FROM }}
{{- range $name, $value := mergeOverwrite $settings .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
- name: REDIS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .Values.secrets.redis }}, key: password } }
- { name: REDIS_URL, value: {{ include "yiqiao.redisUrl" . | quote }} }
{{- end }}

{{- define "yiqiao.apiEnvironment" -}}
{{ include "yiqiao.settings" . }}
{{ include "yiqiao.login" (dict "name" "DATABASE" "secret" .Values.secrets.login) }}
- name: DATABASE_URL
  value: {{ include "yiqiao.databaseUrl" (dict "root" . "user" "DATABASE_USER" "password" "DATABASE_PASSWORD" "host" (include "yiqiao.databaseHost" .)) }}
{{- include "yiqiao.standby" . }}
- { name: API_HEAP_MB, value: {{ .Values.api.heapMb | quote }} }
{{- end }}

{{- define "yiqiao.operatorsEnvironment" -}}
{{ include "yiqiao.settings" . }}
{{ include "yiqiao.login" (dict "name" "DATABASE" "secret" .Values.secrets.operatorsLogin) }}
- name: DATABASE_URL
  value: {{ include "yiqiao.databaseUrl" (dict "root" . "user" "DATABASE_USER" "password" "DATABASE_PASSWORD" "host" (include "yiqiao.databaseHost" .)) }}
{{- include "yiqiao.standby" . }}
{{- end }}

{{/* Of the operator's commands. */}}
{{- define "yiqiao.commandEnvironment" -}}
{{ include "yiqiao.operatorsEnvironment" . }}
{{ include "yiqiao.login" (dict "name" "OWNER" "secret" .Values.secrets.owner) }}
- name: DATABASE_MIGRATION_URL
  value: {{ include "yiqiao.databaseUrl" (dict "root" . "user" "OWNER_USER" "password" "OWNER_PASSWORD" "host" (include "yiqiao.databaseHost" .)) }}
{{- end }}

{{- define "yiqiao.secrets" -}}
- { secretRef: { name: {{ .Values.secrets.app }} } }
- { secretRef: { name: {{ .Values.secrets.partners }}, optional: true } }
{{- end }}

{{/* Alive without asking a store. Ready only to roll out: while PostgreSQL fails over no pod may be taken away, let alone restarted. */}}
{{- define "yiqiao.probes" -}}
startupProbe: { httpGet: { path: /readyz, port: {{ . }} }, periodSeconds: 2, failureThreshold: 150, timeoutSeconds: 3 }
livenessProbe: { httpGet: { path: /livez, port: {{ . }} }, periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 5 }
readinessProbe: { httpGet: { path: /readyz, port: {{ . }} }, periodSeconds: 5, failureThreshold: 12, timeoutSeconds: 5 }
{{- end }}

{{- define "yiqiao.ingress" -}}
{{- with .ingress.className }}
ingressClassName: {{ . }}
{{- end }}
tls:
  - hosts: [{{ required (printf "%s.host: the name that it is reached by" .name) .ingress.host }}]
    secretName: {{ required (printf "%s.tlsSecret: the secret with its certificate" .name) .ingress.tlsSecret }}
rules:
  - host: {{ .ingress.host }}
    http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: {{ .service }}, port: { name: http } } } }] }
{{- end }}

{{- define "yiqiao.storage" -}}
size: {{ .size }}
{{- with .storageClass }}
storageClass: {{ . }}
{{- end }}
{{- end }}
