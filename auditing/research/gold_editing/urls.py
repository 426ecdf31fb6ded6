"""Addresses of gold, for editors and judges."""

from django.urls import path

from auditing.research.gold_editing import views

urlpatterns = [
    path("gold", views.gold_list, name="gold"),
    path("gold/campaigns/<uuid:campaign_id>", views.campaign_gold, name="campaign_gold"),
    path("gold/reviews", views.review_list, name="gold_reviews"),
    path("gold/<uuid:gold_id>/review", views.review_gold, name="review_gold"),
    path("gold/drafts", views.draft_gold, name="draft_gold"),
    path("gold/files", views.confirm_gold_file, name="confirm_gold_file"),
    path("gold/disputes", views.dispute_list, name="disputes"),
    path("gold/disputes/<int:number>", views.decide_dispute, name="decide_dispute"),
    path("gold/<uuid:gold_id>", views.change_gold, name="change_gold"),
]
