"""Addresses of what stands above the corridor: rooms with addresses of their own, pages below /research, data sets."""

from django.urls import include, path

from auditing.research import views as home
from auditing.research.agreement import comparison_views, outcome_views
from auditing.research.agreement import views as agreement
from auditing.research.causal import api as causal_api
from auditing.research.causal import views as causal
from auditing.research.exports import api as exports_api
from auditing.research.exports import views as exports
from auditing.research.imported_votes import views as votes
from auditing.research.offline import views as offline
from auditing.research.rado import views as rado
from auditing.research.studies import views as studies

urlpatterns = [
    path("", include("auditing.research.campaigns.urls")),
    path("", include("auditing.research.comments.urls")),
    path("", include("auditing.research.conduct.urls")),
    path("", include("auditing.research.erasure.views")),
    path("", include("auditing.research.gold_editing.urls")),
    path("", include("auditing.research.importing.urls")),
    path("", include("auditing.research.leaving.urls")),
    path("", include("auditing.research.ledger_checks.views.pages")),
    path("", include("auditing.research.ledger_checks.views.verifying")),
    path("", include("auditing.research.news.views")),
    path("", include("auditing.research.norming.views")),
    path("", include("auditing.research.own_record.urls")),
    path("", include("auditing.research.policy_lab.urls")),
    path("", include("auditing.research.practice.views")),
    path("", include("auditing.research.qualification.views.consents")),
    path("", include("auditing.research.qualification.views.endpoints")),
    path("", include("auditing.research.reports.urls")),
    path("", include("auditing.research.soundness.urls")),
    path("", include("auditing.research.treasury.urls")),
    path("api/v1/exports", exports_api.ExportList.as_view(), name="api_exports"),
    path("api/v1/exports/<uuid:job_id>", exports_api.ExportDetail.as_view(), name="api_export"),
    path("api/v1/exports/<uuid:job_id>/file", exports_api.ExportFile.as_view(), name="api_export_file"),
    path("api/v1/causal", causal_api.CausalList.as_view(), name="api_causal"),
    path("api/v1/causal/<uuid:batch_id>", causal_api.CausalDetail.as_view(), name="api_causal_batch"),
    path("api/v1/causal/<uuid:batch_id>/trials", causal_api.CausalTrials.as_view(), name="api_causal_trials"),
    path("audits.html", offline.set_page, name="set_page"),
    path("research", home.research_home, name="research"),
    path("research/exports", exports.export_list, name="exports"),
    path("research/exports/<uuid:job_id>", exports.export_page, name="export"),
    path("research/exports/<uuid:job_id>/cancel", exports.cancel_export, name="cancel_export"),
    path("research/exports/<uuid:job_id>/file", exports.export_file, name="export_file"),
    path("research/stream/<slug:dataset>.jsonl", exports.export_stream, name="export_stream"),
    path("research/votes", votes.vote_sets, name="vote_sets"),
    path("research/votes/<uuid:set_id>", agreement.set_page, name="vote_set"),
    path("research/votes/<uuid:set_id>/forget", votes.forget_set, name="forget_set"),
    path("research/agreement", agreement.agreement_page, name="agreement"),
    path("research/quality", agreement.quality_page, name="quality"),
    path("research/compare", comparison_views.comparison_page, name="compare_groups"),
    path("research/outcomes", outcome_views.outcomes_page, name="outcomes"),
    path("research/studies", studies.study_list, name="studies"),
    path("research/studies/<uuid:run_id>", studies.study_page, name="study_run"),
    path("research/studies/<uuid:run_id>/cancel", studies.cancel_study, name="cancel_study"),
    path("research/studies/<uuid:run_id>/take-up", studies.take_up_study, name="take_up_study"),
    path("research/studies/<uuid:run_id>.json", studies.study_json, name="study_json"),
    path("research/studies/<uuid:run_id>.html", studies.study_html, name="study_html"),
    path("research/rado", rado.loop_list, name="rado"),
    path("research/rado/<uuid:loop_id>", rado.loop_page, name="rado_loop"),
    path("research/rado/<uuid:loop_id>/queue", rado.queue_page, name="rado_queue"),
    path("research/rado/<uuid:loop_id>/proof", rado.proof_page, name="rado_proof"),
    path("research/rado/<uuid:loop_id>/<slug:task>.jsonl", rado.training_file, name="rado_file"),
    path("research/rado/evaluations/<uuid:evaluation_id>", rado.correction_page, name="rado_correction"),
    path("research/causal", causal.batch_list, name="causal"),
    path("research/causal/<uuid:batch_id>", causal.batch_page, name="causal_batch"),
    path("research/causal/<uuid:batch_id>/cancel", causal.cancel_batch, name="cancel_causal"),
    path("research/causal/<uuid:batch_id>.jsonl", causal.batch_file, name="causal_file"),
    path("research/causal/trials/<int:trial_id>", causal.trial_page, name="causal_trial"),
]
